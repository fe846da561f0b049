"""Where answers and feedback are kept when several servers share them."""

"""GapQA's tables, and the parts of the model behind them."""

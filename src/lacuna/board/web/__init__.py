"""The pages of a board and the interface behind them."""

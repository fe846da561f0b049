"""The networks that GapQA's table 4 compares with: Q2Choice, ESIM and the knowledge reader."""

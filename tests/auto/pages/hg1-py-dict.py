# hourly rates, read by the estimator
GPU_RATES_PER_HOUR_USD = {
    "T4": 0.36,  # smallest
    "L4": 0.71,
    "A100-80GB": 2.05,  # SXM
    "H100": 3.02,
    # "H200": 3.9,
}

package pricing

// Price is US dollars per hour.
type Offer struct {
	GPU   string
	Count int
	Price float64
}

var Offers = []Offer{
	{GPU: "NVIDIA L4", Count: 1, Price: 0.71},
	{GPU: "NVIDIA A100 80GB", Count: 1, Price: 1.79},
	{GPU: "NVIDIA H100", Count: 8, Price: 23.92},
}

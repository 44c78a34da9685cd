/* ON-DEMAND PRICING */

/*
sources:
https://hotaisle.xyz/pricing/
*/
export const MI300X_PRICING = [
  {
    provider: "RunPod",
    on_demand_dollar_per_gpu_hour: 2.69,
  },
  {
    provider: "Hot Aisle",
    on_demand_dollar_per_gpu_hour: 1.99,
  },
];

export const H100_PRICING = [
  { provider: "AWS", on_demand_dollar_per_gpu_hour: 6.75 },
  { provider: "Azure", on_demand_dollar_per_gpu_hour: 6.98 },
];

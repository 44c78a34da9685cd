// Auto-generated 2026-05-01. Do not edit.
export const GPU_PRICES = [
  { gpu: "H100 SXM5", vram: 80, providers: [ { name: "Voltage Park", usd_hr: 1.99, min: 8 }, { name: "Lambda", usd_hr: 2.99, min: 1 } ] },
  { gpu: "RTX 4090", vram: 24, providers: [ { name: "TensorDock", usd_hr: 0.37, min: 1 }, { name: "RunPod", usd_hr: 0.34, min: 1 } ] },
];
export function cheapest(list) { return [...list].sort((a, b) => a.usd_hr - b.usd_hr)[0]; }

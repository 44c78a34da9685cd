import { useState } from "react";

const plans = [
  { id: "l4", name: "NVIDIA L4", memory: "24 GB", price: "$0.55", unit: "/hour", features: ["16 vCPU", "64 GB RAM"] },
  { id: "a100", name: "NVIDIA A100", memory: "80 GB", price: "$1.49", unit: "/hour", features: ["24 vCPU", "120 GB RAM"], popular: true },
  { id: "h100", name: "NVIDIA H100", memory: "80 GB", price: "$2.79", unit: "/hour", features: ["32 vCPU", "240 GB RAM"] },
];

export default function Pricing() {
  const [annual, setAnnual] = useState(false);
  return <section>{plans.map((p) => <div key={p.id}><h3>{p.name}</h3><span>{p.price}{p.unit}</span></div>)}</section>;
}

export const gpuServers = [
  { title: 'HGX A100', hourlyRate: 1.05, monthlyRate: 6132, features: ['8x NVIDIA A100 80GB SXM', '2 TB of memory', 'Managed'] },
  { title: 'HGX H100', hourlyRate: 1.95, monthlyRate: 11388, features: ['8x NVIDIA H100 80GB SXM', '2 TB of memory', 'Managed'] },
  { title: 'Quad L40S', hourlyRate: 0.85, monthlyRate: 2482, features: ['4x NVIDIA L40S 48GB', '1 TB of memory', 'Managed'] },
];

export interface Package { name: string; monthly: number; specs: string[] }

// USD per month for the whole server
export const packages: Package[] = [
  { name: 'A100', monthly: 6400, specs: ['8x NVIDIA A100 80GB', '2 TB RAM', '8x 3.84 TB NVMe'] },
  { name: 'H100', monthly: 13900, specs: ['8x NVIDIA H100 80GB', '2 TB RAM', '8x 7.68 TB NVMe'] },
  { name: 'L40S', monthly: 2900, specs: ['4x NVIDIA L40S 48GB', '1 TB RAM', '2x 3.84 TB NVMe'] },
];

// Auto-generated, do not edit
const instanceData = [
  { "name": "g4dn.xlarge", "gpu": "NVIDIA T4", "gpuCount": 1, "vcpu": 4, "memory": "16 GB", "pricing": { "us-east-1": { "onDemand": 0.526, "reserved": 0.33 }, "eu-west-1": { "onDemand": 0.587, "reserved": 0.37 } } },
  { "name": "g5.12xlarge", "gpu": "NVIDIA A10G", "gpuCount": 4, "vcpu": 48, "memory": "192 GB", "pricing": { "us-east-1": { "onDemand": 5.672, "reserved": 3.573 }, "eu-west-1": { "onDemand": 6.330, "reserved": 3.988 } } },
  { "name": "p4d.24xlarge", "gpu": "NVIDIA A100", "gpuCount": 8, "vcpu": 96, "memory": "1152 GB", "pricing": { "us-east-1": { "onDemand": 32.773, "reserved": 19.22 } } }
];

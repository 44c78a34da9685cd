module.exports = {
  unit: 'USD/hour',
  plans: {
    starter: { accelerator: '1 x RTX 4090', price: 0.42 },
    team: { accelerator: '4 x RTX 4090', price: 1.62 },
    lab: { accelerator: '8 x A100 80GB', price: 10.8 },
  },
};

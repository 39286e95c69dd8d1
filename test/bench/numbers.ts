export const two = (value: number) => Number(value.toFixed(2));

export const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

export const two = (value: number) => Number(value.toFixed(2));

export const median = (values: number[]) => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** The value below which this share of the values is. Sorts them. */
export const percentile = (values: number[], share: number) =>
  values.sort((a, b) => a - b)[Math.min(Math.floor(values.length * share), values.length - 1)] ?? 0;

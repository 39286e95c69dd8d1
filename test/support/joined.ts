/** All the tables as one. A name in two of them would hide what the first says of it, so it is refused. */
export function joined<Value>(...tables: Record<string, Value>[]): Record<string, Value> {
  const entries = tables.flatMap((table) => Object.entries(table));
  const whole = Object.fromEntries(entries);
  const hidden = entries.filter(([name, value]) => whole[name] !== value).map(([name]) => name);
  if (hidden.length > 0) throw new Error(`More than once: ${hidden.join(', ')}.`);
  return whole;
}

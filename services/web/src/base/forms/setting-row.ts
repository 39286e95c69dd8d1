export type SettingValue = boolean | number | string | null;

/** A setting that people choose, and how. */
export type SettingRow = { name: string; label: string } & (
  | { kind: 'toggle' }
  | { kind: 'choice'; choices: readonly (readonly [value: SettingValue, text: string])[] }
  | { kind: 'number'; min: number; max: number }
  | { kind: 'text'; max: number }
);

export const toggle = (name: string, label: string): SettingRow => ({ kind: 'toggle', name, label });

export const choice = (
  name: string,
  label: string,
  choices: readonly (readonly [SettingValue, string])[],
): SettingRow => ({ kind: 'choice', name, label, choices });

export const number = (name: string, label: string, min: number, max: number): SettingRow => ({
  kind: 'number',
  name,
  label,
  min,
  max,
});

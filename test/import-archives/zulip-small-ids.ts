/** Rows of tables, by the table’s name. */
export type Tables = Record<string, object[]>;

/** Returns a time in seconds. */
export const at = (second: number) => 1_700_000_000 + second + 0.25;

/** The id of the organization. */
export const realm = 7;

/** The ids of what an export has. */
export const ids = {
  olivia: 11,
  adam: 12,
  bob: 13,
  gus: 14,
  dora: 15,
  helper: 16,
  hook: 17,
  notification: 3,
  gateway: 4,
  welcome: 5,
} as const;

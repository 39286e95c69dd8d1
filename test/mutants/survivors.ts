/** A change that no test notices: the code, what it becomes, and why that is no fault or cannot be told. */
type Survivor = readonly [code: string, becomes: string, reason: string];

/** The survivors that are accepted, by file. */
export const survivors: Readonly<Record<string, readonly Survivor[]>> = {};

/** Parsed form fields or query arguments, in order. */
export type Form = URLSearchParams;

export const readForm = (text: string): Form => new URLSearchParams(text);

/** Parameters that every endpoint accepts and none reports as unknown. */
export const silentParameters: ReadonlySet<string> = new Set(['client', 'method']);

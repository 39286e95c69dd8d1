import { signal } from '@preact/signals';

/** The message that is edited in its place; null while none is. */
export const editing = signal<number | null>(null);

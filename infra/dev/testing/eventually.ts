import { vi } from 'vitest';

/** Waits until it is so. The limit is for a machine that is busy with other things. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 20_000, interval: 20 });
}

import { vi } from 'vitest';

/** Waits until the condition holds. The time limit allows for a machine that is busy with other things. */
export async function eventually(condition: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(condition, { timeout: 60_000, interval: 20 });
}

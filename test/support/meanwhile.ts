import { getWorld } from './world.ts';

type Perform = Awaited<ReturnType<typeof getWorld>>['engine']['perform'];
type Action = Parameters<Perform>[1];

/** Runs an action, and something else after its first run and before its append. Returns how often the action ran. */
export async function performWhile(
  { id }: { id: number },
  action: Action,
  meanwhile: () => Promise<unknown>,
): Promise<number> {
  const { engine } = await getWorld();
  let runs = 0;
  await engine.perform(id, async (tx) => {
    const result = await action(tx);
    runs += 1;
    if (runs === 1) await meanwhile();
    return result;
  });
  return runs;
}

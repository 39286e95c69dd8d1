export interface Source<Found> {
  name: string;
  find(): Promise<Found>;
}

/**
 * Returns the result of the first source that succeeds. If all fail, the error says what failed, why each did, and what
 * to do next.
 */
export async function findFirst<Found>(
  sources: readonly Source<Found>[],
  failure: string,
  advice: string,
): Promise<Found> {
  const refusals: string[] = [];
  for (const source of sources) {
    try {
      return await source.find();
    } catch (error) {
      refusals.push(`  ${source.name}: ${firstLine(error)}`);
    }
  }
  throw new Error(`${failure}\n${refusals.join('\n')}\n${advice}`);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}

export interface Source<Found> {
  name: string;
  find(): Promise<Found>;
}

/**
 * Returns the result of the first source that succeeds. If all fail, the error says why each did, and gives the
 * advice.
 */
export async function findFirst<Found>(
  ways: readonly Source<Found>[],
  what: string,
  advice: string,
): Promise<Found> {
  const refusals: string[] = [];
  for (const way of ways) {
    try {
      return await way.find();
    } catch (error) {
      refusals.push(`  ${way.name}: ${firstLine(error)}`);
    }
  }
  throw new Error(`No ${what} was found:\n${refusals.join('\n')}\n${advice}`);
}

function firstLine(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.split('\n')[0] ?? text;
}

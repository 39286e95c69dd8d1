import { type Tx, tables } from '@parley/db';
import * as model from '@parley/model';
import { ApiError, botTypes, limits } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

const { botStorage } = tables;

/** The settings of a bot by their names. */
export type BotConfig = Readonly<Record<string, string>>;

/**
 * Sets up an incoming-webhook bot, whose one setting is `secret`: everything that the bot takes has to be signed with it. An
 * empty one takes it away. Bots of other types have no settings.
 *
 * @throws BAD_REQUEST for another setting, or a secret that is too long
 */
export async function configure(
  tx: Tx,
  bot: { id: number; realmId: number; botType: number | null },
  config: BotConfig | undefined,
): Promise<void> {
  if (config === undefined || bot.botType !== botTypes.incomingWebhook) return;
  const unknown = Object.keys(config).find((name) => name !== 'secret');
  if (unknown !== undefined)
    throw new ApiError('BAD_REQUEST', `Integrations have no setting called '${unknown.slice(0, 100)}'.`);
  const { secret } = config;
  if (secret === undefined) return;
  if (secret.length > limits.integrationSecretLength) {
    const msg = `A secret can have at most ${limits.integrationSecretLength} characters.`;
    throw new ApiError('BAD_REQUEST', msg);
  }
  const key = model.bots.integrationSecretKey;
  if (secret === '') {
    await tx
      .delete(botStorage)
      .where(
        and(eq(botStorage.realmId, bot.realmId), eq(botStorage.userId, bot.id), eq(botStorage.key, key)),
      );
    return;
  }
  const size = {
    value: secret,
    characters: [...key, ...secret].length,
    bytes: Buffer.byteLength(JSON.stringify([key, secret])),
  };
  await tx
    .insert(botStorage)
    .values({ realmId: bot.realmId, userId: bot.id, key, ...size })
    .onConflictDoUpdate({ target: [botStorage.realmId, botStorage.userId, botStorage.key], set: size });
}

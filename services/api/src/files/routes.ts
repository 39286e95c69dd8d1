import { isDatabaseUnavailable } from '@parley/db';
import type { AttachmentRow } from '@parley/db';
import type { FileStore } from '@parley/files';
import { errorReply } from '@parley/http';
import type { Actor, Realm } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, botTypes } from '@parley/protocol';
import { type Context, Hono } from 'hono';

import { redirectHeaders } from '../auth/find-realm.ts';
import { notForWebhookBots } from '../auth/identify.ts';
import { type BugLog, bugsOf } from '../http/observe-requests.ts';
import type { HandlerDeps } from '../serve/handler.ts';
import { sendArchive } from './send-archive.ts';
import { cachedForEver, sendFile, sendText } from './send-file.ts';
import { createThumbnails, formatOf } from './thumbnails.ts';

export type FileDeps = Pick<
  HandlerDeps,
  | 'engine'
  | 'realms'
  | 'authenticator'
  | 'guardKeys'
  | 'addressOf'
  | 'clock'
  | 'logger'
  | 'store'
  | 'temporaryPaths'
  | 'sessions'
>;

const notFound = () => sendText(404, 'This file does not exist.');
const forbidden = () => sendText(403, 'You are not allowed to see this file.');

type FileHandler = (c: Context, realm: Realm) => Promise<Response>;

/**
 * The addresses of files, which are not part of the API: they answer with bytes, or with plain text. Permission to read
 * a file is checked for every request. Requests do not count towards the rate limits of the API.
 */
export function createFileRoutes(deps: FileDeps): Hono {
  const { store, temporaryPaths, clock } = deps;
  const { db } = deps.engine;
  const thumbnails = createThumbnails(store);
  const app = new Hono();
  const get = (path: string, handler: FileHandler) => app.get(path, serve(deps, handler));

  async function findReadable(c: Context, realm: Realm) {
    const pathId = pathOf(c);
    const [file, reader] = [
      await model.attachments.findAttachment(db, pathId),
      await readerOf(c, realm, deps),
    ];
    if (!file || file.realmId !== realm.id) return { refusal: notFound() };
    return (await model.access.mayReadAttachment(db, reader, file)) ? { file } : { refusal: forbidden() };
  }

  const send = (c: Context, { pathId, size, contentType, name }: AttachmentRow, cacheControl: string) => {
    const key = model.files.uploadPlace(pathId).original;
    return sendFile(c, store, { key, bytes: size, contentType, name }, cacheControl);
  };

  get('/user_uploads/temporary/:signature/:realm/:random/:name', async (c, realm) => {
    const file = await model.attachments.findAttachment(db, pathOf(c));
    if (!file || file.realmId !== realm.id) return notFound();
    const isOpen = temporaryPaths.verify(file.pathId, c.req.param('signature') ?? '', clock.nowMs());
    return isOpen ? await send(c, file, 'private, no-store') : forbidden();
  });

  get('/user_uploads/thumbnail/:realm/:random/:name/:format', async (c, realm) => {
    const { file, refusal } = await findReadable(c, realm);
    if (!file) return refusal;
    const { image, name } = file;
    const thumbnail =
      image && (await thumbnails.provide(file, formatOf(c.req.param('format') ?? '', image.frames)));
    return thumbnail
      ? await sendFile(
          c,
          store,
          { ...thumbnail, contentType: 'image/webp', name: `${name}.webp` },
          cachedForEver,
        )
      : notFound();
  });

  get('/user_uploads/:realm/:random/:name', async (c, realm) => {
    const { file, refusal } = await findReadable(c, realm);
    return file ? await send(c, file, cachedForEver) : refusal;
  });

  get('/exports/:realm/:random/:file', async (c, realm) => {
    const folder = ['exports', realm.id, c.req.param('random')].join('/');
    const isAsked = c.req.param('realm') === String(realm.id);
    const now = new Date(clock.nowMs());
    const found = isAsked ? await model.exports.findDownload(db, realm.id, folder, now) : undefined;
    return found ? await sendArchive(c, store, found) : notFound();
  });

  get('/user_avatars/:realm/:file', async (c) => {
    const [, random = '', medium] = /^([\w-]{10,60}?)(-medium)?\.png$/.exec(c.req.param('file') ?? '') ?? [];
    const realmId = c.req.param('realm') ?? '';
    if (random === '' || !/^\d{1,10}$/.test(realmId)) return notFound();
    const { variant } = model.files.avatarPlace(`${realmId}/${random}`);
    return await sendPicture(
      c,
      store,
      variant(`${model.users.avatarSizes[medium ? 'medium' : 'small']}.png`),
    );
  });

  get('/user_avatars/:realm/realm/:file', async (c) => {
    const { realmId, name } = pictureOf(c);
    return await sendPicture(c, store, name && model.files.realmPicturePlace(`${realmId}/${name}`).original);
  });

  get('/user_avatars/:realm/emoji/images/still/:file', async (c) => {
    const { realmId, name } = pictureOf(c);
    return await sendPicture(c, store, name && model.files.emojiPlace(realmId, name).variant('still'));
  });

  get('/user_avatars/:realm/emoji/images/:file', async (c) => {
    const { realmId, name, type } = pictureOf(c);
    return await sendPicture(c, store, name && model.files.emojiPlace(realmId, name).original, type);
  });

  async function findUser(reader: Actor, idOrEmail: string) {
    if (idOrEmail.includes('\0')) return undefined;
    const user = /^\d+$/.test(idOrEmail) ? Number(idOrEmail) : idOrEmail;
    return await model.users.getUser(db, reader, user).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error;
    });
  }

  const redirect =
    (size: model.users.AvatarSize): FileHandler =>
    async (c, realm) => {
      const reader = await readerOf(c, realm, deps);
      if (!reader) return sendText(401, 'Not logged in.');
      const user = await findUser(reader, c.req.param('user') ?? '');
      if (!user) return sendText(404, 'No such user.');
      const headers = { Location: model.users.avatarUrl(user, size), 'Cache-Control': 'private, no-store' };
      return new Response(null, { status: 302, headers });
    };
  get('/avatar/:user', redirect('small'));
  get('/avatar/:user/medium', redirect('medium'));
  return app;
}

const pathOf = (c: Context) =>
  [c.req.param('realm'), c.req.param('random'), c.req.param('name')].join('/').normalize('NFKC');

/** What the address of a picture names; null for an address that no picture has. */
function pictureOf(c: Context) {
  const [, name = null, type = ''] = /^([\w-]{10,60})\.(png|gif|webp)$/.exec(c.req.param('file') ?? '') ?? [];
  const realmId = /^\d{1,10}$/.exec(c.req.param('realm') ?? '');
  return { realmId: Number(realmId?.[0]), name: realmId && name, type: `image/${type}` };
}

/** Sends a picture that anyone may see who knows its address. */
async function sendPicture(c: Context, store: FileStore, key: string | null, contentType = 'image/png') {
  const file = key === null ? undefined : await store.open(key);
  if (key === null || !file) return notFound();
  file.body.destroy();
  const name = `picture.${contentType.replace('image/', '')}`;
  const picture = { key, bytes: file.bytes, contentType, name };
  return await sendFile(c, store, picture, 'public, max-age=31536000, immutable');
}

/**
 * The account that asks, by Basic auth, `?api_key=` or a session; null without any.
 * @throws UNAUTHORIZED for wrong credentials and for bots that only write, RATE_LIMIT_HIT for too many unknown keys
 */
async function readerOf(c: Context, realm: Realm, deps: FileDeps): Promise<Actor | null> {
  const reader = await authenticated(c, realm, deps);
  if (reader?.botType === botTypes.incomingWebhook) throw notForWebhookBots();
  return reader;
}

async function authenticated(c: Context, realm: Realm, deps: FileDeps): Promise<Actor | null> {
  const { authenticator, engine, guardKeys, addressOf } = deps;
  const address = addressOf(c);
  const header = c.req.header('authorization');
  if (header !== undefined) {
    const credentials = await guardKeys.read(address, header);
    return await guardKeys.verify({ realm, address, credentials }, () =>
      authenticator.authenticate(engine.db, realm, credentials),
    );
  }
  const apiKey = c.req.query('api_key');
  if (apiKey === undefined) return await readerBySession(c, realm, deps);
  return await guardKeys.verify({ realm, address, credentials: { email: '', apiKey } }, () =>
    authenticator.authenticateByKey(engine.db, realm, apiKey),
  );
}

/** The account of the browser's session; null without one. */
async function readerBySession(c: Context, realm: Realm, deps: FileDeps): Promise<Actor | null> {
  const { sessions, engine } = deps;
  try {
    return await sessions.authenticate(engine.db, realm, sessions.read(c));
  } catch (error) {
    if (error instanceof ApiError) return null;
    throw error;
  }
}

/** Finds the realm, and answers failures with plain text. */
function serve({ engine, realms, logger }: FileDeps, handler: FileHandler) {
  return async (c: Context) => {
    return await engine
      .whileAnswering(async () => handler(c, await realms.find(c.req.header('host'))))
      .catch((error: unknown) => refuseAsText(error, bugsOf(c, logger), redirectHeaders(error, c.req.url)));
  };
}

function refuseAsText(error: unknown, logger: BugLog, more: Record<string, string>): Response {
  const { status, headers, body, isBug } = errorReply(error, isDatabaseUnavailable);
  if (isBug) logger.error({ err: error }, 'request failed');
  return sendText(status, body.msg, { ...headers, ...more });
}

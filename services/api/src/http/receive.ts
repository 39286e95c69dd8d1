import { createWriteStream } from 'node:fs';
import { join } from 'node:path';
import { type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import { Busboy, type BusboyFileStream } from '@fastify/busboy';
import { tooManyParameters } from '@parley/http';
import { makeWorkFolder } from '@parley/kit';
import { ApiError, limits, unsafeCharacters } from '@parley/protocol';
import { getMimeType } from 'hono/utils/mime';

/** The largest file that an endpoint takes, and the text that refuses a larger one. */
export interface UploadLimit {
  mebibytesMax: number;
  tooLarge: string;
}

/** A file that came with a request. It is kept on the local disk until the reply is made. */
export interface ReceivedFile {
  name: string;
  contentType: string;
  source: { file: string; bytes: number };
}

interface ReceiveLimit extends UploadLimit {
  /** The most bytes of all fields together. */
  fieldBytesMax: number;
}

export interface Received extends AsyncDisposable {
  fields: URLSearchParams;
  /** At most two files. Endpoints take one, and the second is enough to refuse the request. */
  files: ReceivedFile[];
}

const mebibyte = 1024 * 1024;

const interrupted = () => new ApiError('BAD_REQUEST', 'The upload was interrupted.');

/**
 * Reads a multipart body as a stream: fields go into memory, files into a temporary folder. What is left of a body that
 * is refused stays unread.
 * @throws BAD_REQUEST
 */
export async function receive(body: Readable, contentType: string, limit: ReceiveLimit): Promise<Received> {
  const folder = await makeWorkFolder('upload');
  try {
    const { fields, files } = await readParts(body, contentType, limit, folder.path);
    return { fields, files, [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose]() };
  } catch (error) {
    await folder[Symbol.asyncDispose]();
    throw error;
  }
}

async function readParts(body: Readable, contentType: string, limit: ReceiveLimit, folder: string) {
  const bytesMax = limit.mebibytesMax * mebibyte;
  const { fieldBytesMax } = limit;
  const parser = openParser(contentType, bytesMax, fieldBytesMax);
  const fields = new Fields(parser, fieldBytesMax);
  const writing: Promise<ReceivedFile>[] = [];
  parser.on('file', (_, stream, name: string | undefined, __, type) => {
    const written = write(stream, { name: readName(name), type, file: join(folder, String(writing.length)) });
    // The failure is handled by Promise.all below; this only keeps it from counting as unhandled until then.
    written.catch(() => undefined);
    writing.push(written);
  });

  // The connection outlives a body that is not read to its end, so that the refusal can be sent.
  const source = body.iterator({ destroyOnReturn: false });
  const counter = refuseAfter(bytesMax + fieldBytesMax);
  const outcome = await pipeline(source, counter, parser).catch((error: unknown) => error);
  if (outcome instanceof TooLarge) throw new ApiError('BAD_REQUEST', limit.tooLarge);
  if (outcome !== undefined) throw interrupted();
  fields.assertWithinLimits();
  const files = await Promise.all(writing).catch((error: unknown) => {
    throw error instanceof TooLarge ? new ApiError('BAD_REQUEST', limit.tooLarge) : error;
  });
  return { fields: fields.values, files };
}

/** The fields of a body, up to what they may be together. */
class Fields {
  readonly values = new URLSearchParams();
  private readonly bytesMax: number;
  private length = 0;
  private areTooMany = false;

  constructor(parser: ReturnType<typeof openParser>, bytesMax: number) {
    this.bytesMax = bytesMax;
    parser.on('field', (name: string | undefined, value) => this.take(name, value));
    parser.on('fieldsLimit', () => {
      this.areTooMany = true;
    });
  }

  assertWithinLimits(): void {
    if (this.areTooMany) throw tooManyParameters();
    if (this.length > this.bytesMax) throw new ApiError('BAD_REQUEST', 'The request is too large.');
  }

  private take(name: string | undefined, value: string): void {
    this.length += value.length;
    if (name !== undefined && this.length <= this.bytesMax) this.values.append(name, value);
  }
}

/** Passes on so many bytes, and fails with TooLarge for more. */
function refuseAfter(bytesMax: number): Transform {
  let bytes = 0;
  return new Transform({
    transform(chunk: Buffer, _, done) {
      bytes += chunk.length;
      if (bytes > bytesMax) done(new TooLarge());
      else done(null, chunk);
    },
  });
}

class TooLarge extends Error {}

function openParser(contentType: string, bytesMax: number, fieldSize: number) {
  try {
    const { parametersPerRequest: fields } = limits;
    return new Busboy({
      headers: { 'content-type': contentType },
      limits: { files: 2, fileSize: bytesMax, fields, fieldSize, parts: fields + 10 },
    });
  } catch {
    throw new ApiError('BAD_REQUEST', 'The multipart body has no boundary.');
  }
}

interface Writing {
  name: string;
  type: string;
  file: string;
}

async function write(stream: BusboyFileStream, { name, type, file }: Writing): Promise<ReceivedFile> {
  await pipeline(stream, createWriteStream(file));
  if (stream.truncated) throw new TooLarge();
  return { name, contentType: readType(type, name), source: { file, bytes: stream.bytesRead } };
}

/** Returns the file's name on the sender's machine, without characters that would make it be read as another. */
export function readName(raw: string | undefined): string {
  const name = (raw ?? '').normalize('NFC').replaceAll(unsafeCharacters, '').trim();
  return [...name].slice(0, limits.fileNameLength).join('') || 'file';
}

/** Returns the type that the sender claims. Where programs send none or a general one, the file's name decides. */
export function readType(claimed: string, name: string): string {
  const isType = /^[\w.+-]{1,60}\/[\w.+-]{1,60}$/.test(claimed);
  const isVague = !isType || claimed === 'application/octet-stream' || claimed === 'text/plain';
  const guessed = isVague ? getMimeType(name)?.split(';')[0] : undefined;
  return guessed ?? (isType ? claimed : 'application/octet-stream');
}

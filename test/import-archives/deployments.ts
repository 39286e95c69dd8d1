import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { type Sql, connectSql, migrate } from '@parley/db';
import { startPostgres } from '@parley/infra';

/** A database and a folder for files, with nothing in them. */
export interface Deployment {
  uploads: string;
  env: Readonly<Record<string, string>>;
  sql: Sql;
}

/** Deployments in one server of Postgres. They are gone when it is. */
export class Deployments implements AsyncDisposable {
  readonly #dir: string;
  readonly #admin: Sql;
  readonly #template: URL;
  readonly #stop: () => Promise<void>;
  #made = 0;

  private constructor(dir: string, admin: Sql, template: URL, stop: () => Promise<void>) {
    this.#dir = dir;
    this.#admin = admin;
    this.#template = template;
    this.#stop = stop;
  }

  static async start(dir: string): Promise<Deployments> {
    const postgres = await startPostgres({ dir, durable: false, say: () => {} });
    await migrate(postgres.url);
    const url = new URL(postgres.url);
    url.pathname = '/postgres';
    const admin = connectSql({ url: url.href, name: 'archives-admin', max: 1 });
    return new Deployments(dir, admin, new URL(postgres.url), () => postgres.stop());
  }

  /** Works with a deployment, which is gone afterwards. */
  async with<Result>(work: (deployment: Deployment) => Promise<Result>): Promise<Result> {
    this.#made += 1;
    const name = `archives_${this.#made}`;
    const url = new URL(this.#template.href);
    url.pathname = `/${name}`;
    await this.#admin.unsafe(`create database ${name} template ${this.#template.pathname.slice(1)}`);
    const uploads = await mkdtemp(join(this.#dir, 'uploads-'));
    const sql = connectSql({ url: url.href, name: 'archives', max: 1 });
    await sql`set statement_timeout = 0`;
    try {
      const secret = 'a secret of archives that are imported again and again';
      const env = { DATABASE_URL: url.href, UPLOADS_DIR: uploads, PARLEY_SECRET: secret };
      return await work({ uploads, env, sql });
    } finally {
      await sql.end({ timeout: 5 });
      await this.#admin.unsafe(`drop database ${name} with (force)`);
      await rm(uploads, { recursive: true, force: true });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#admin.end({ timeout: 5 });
    await this.#stop();
  }
}

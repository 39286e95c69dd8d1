import { type NotThere, chooseSource, slackFiles } from '@parley/archive';
import { buildCommand } from '@stricli/core';
import { z } from 'zod';

import type { Context } from '../context.ts';
import { type DownloadOutcome, downloadFiles } from '../download-files.ts';
import { type CommonFlags, commonFlags, countFlag, oneArgument, textFlag } from '../flags.ts';
import { Phases } from '../phases.ts';
import { Refusal } from '../refusal.ts';
import { table } from '../table.ts';

interface Flags extends CommonFlags {
  files: string;
  parallel: number;
  perMinute: number;
  hosts: string;
}

/** Where Slack keeps files and pictures of emoji. */
const hostsOfSlack = 'slack.com,slack-files.com,slack-edge.com,slack-gov.com';

/** The most failures that are named. */
const namedMax = 50;

async function run(this: Context, { files: folder, ...flags }: Flags, archive: string): Promise<void> {
  const from = await chooseSource(archive, undefined);
  if (from !== 'slack') {
    throw new Refusal(
      `An archive of ${from} has its files with it.`,
      `Import it: parley import ${archive} --plan`,
    );
  }
  const { SLACK_TOKEN: token } = this.readConfig({ SLACK_TOKEN: z.string().optional() });
  const counts = new Counts();
  using phases = new Phases(this.process.stderr, Date.now);
  await downloadFiles(
    slackFiles(archive, (reason) => counts.leaveOut(reason)),
    {
      folder,
      hosts: flags.hosts.split(',').map((host) => host.trim()),
      token: token ?? null,
      parallel: flags.parallel,
      perMinute: flags.perMinute,
      onFile: ({ place, done, of }, outcome) => {
        counts.add(place, outcome);
        phases.advance('Downloading', { count: counts.handled, unit: 'files', done, of });
      },
    },
  );
  phases[Symbol.dispose]();
  this.show(counts.toJson(), counts.toText(folder));
  if (counts.failed > 0) this.fail();
}

/** What became of the files of an archive. */
class Counts {
  #downloaded = 0;
  #present = 0;
  readonly #failures: { file: string; reason: string }[] = [];
  readonly #notThere = new Map<NotThere, number>();
  failed = 0;

  get handled(): number {
    return this.#downloaded + this.#present + this.failed;
  }

  add(file: string, outcome: DownloadOutcome): void {
    if (outcome === 'downloaded') this.#downloaded += 1;
    else if (outcome === 'there already') this.#present += 1;
    else {
      this.failed += 1;
      if (this.#failures.length < namedMax) this.#failures.push({ file, reason: outcome.failed });
    }
  }

  leaveOut(reason: NotThere): void {
    this.#notThere.set(reason, (this.#notThere.get(reason) ?? 0) + 1);
  }

  toJson(): unknown {
    return {
      downloaded: this.#downloaded,
      there_already: this.#present,
      failed: this.failed,
      failures: this.#failures,
      not_there: Object.fromEntries(this.#notThere),
    };
  }

  toText(folder: string): string {
    const left = [...this.#notThere].map(([reason, count]) => `${count} not asked for: ${reason}`);
    const summary = `${this.#downloaded} downloaded, ${this.#present} there already, ${this.failed} failed.`;
    const failures = this.#failures.map(({ file, reason }) => [file, reason]);
    const next =
      this.failed > 0
        ? 'Run the same command again: what is there is not asked for again.'
        : `Import with --files ${folder}`;
    return [
      ...(failures.length > 0 ? [table(['file', 'reason'], failures)] : []),
      ...left,
      summary,
      next,
    ].join('\n');
  }
}

export const downloadCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      files: textFlag('folder', 'Folder for the files, which is then given to `parley import`'),
      parallel: countFlag('4', 'How many files are downloaded at a time'),
      perMinute: countFlag('600', 'How many downloads begin in a minute'),
      hosts: {
        kind: 'parsed',
        parse: String,
        default: hostsOfSlack,
        placeholder: 'hosts',
        brief: 'Hosts that are asked, with their subdomains',
      },
    },
    positional: oneArgument('archive', 'Archive of Slack'),
  },
  docs: {
    brief: 'Download the files that an archive of Slack only names',
    fullDescription:
      'An export of Slack has the addresses of files, not the files. This downloads them, and the pictures of custom emoji, into a folder for `parley import --files`. What is there already is not asked for again, so an interrupted download goes on with the same command. A host that asks for a pause gets it. The addresses of an export have a token in them; where it has ended, set SLACK_TOKEN to one that may read files. Exits with 1 if a file could not be downloaded.',
    customUsage: [
      'slack-export.zip --files slack-files',
      'slack-export.zip --files slack-files --per-minute 60',
    ],
  },
});

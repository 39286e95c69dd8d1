import type { ArchivedKind } from '@parley/client';
import type { ComponentChildren } from 'preact';

import { importText } from '../../strings/imports.ts';
import type { Coded } from './coded-text.ts';
import { reasonOf } from './import-reason.ts';

interface Counted {
  here: number;
  created: number;
}

interface Reason extends Coded {
  kind: string;
  count: number;
  reason: string;
}

interface Remark extends Coded {
  text: string;
}

/** Returns what things of a kind are called; a kind that this page does not know keeps the name that the server has for it. */
export function nameOfKind(kind: string): string {
  const names: Readonly<Record<ArchivedKind, string>> = importText.kinds;
  return Object.entries(names).find(([known]) => known === kind)?.[1] ?? kind;
}

/** What becomes of an archive, as the server says it. */
export interface ArchivePlan {
  source: string;
  is_done: boolean;
  people: Counted;
  channels: Counted;
  emoji: Counted;
  messages: Counted & { changed?: number; removed?: number; reacted?: number; kept_as_edited?: number };
  renamed_channels: { name: string; as: string }[];
  left_out_rows: Record<string, number>;
  kinds: { kind: string; read: number; kept: number; changed: number; left_out: number }[];
  changed: Reason[];
  left_out: Reason[];
  conflicts: Remark[];
  notes: Remark[];
  lines_left_out: number;
}

function Table({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly (string | number)[])[];
}) {
  if (rows.length === 0) return null;
  return (
    // Wide tables are scrolled, also with the keyboard.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <div class="table-scroll" role="region" aria-label={caption} tabIndex={0}>
      <table class="table">
        <caption class="plan-caption">{caption}</caption>
        <thead>
          <tr>
            {head.map((name) => (
              <th key={name} scope="col">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr key={cells.join(' ')}>
              {cells.map((cell, at) =>
                at === 0 ? (
                  <th key={head[at]} scope="row">
                    {cell}
                  </th>
                ) : (
                  <td key={head[at]}>{typeof cell === 'number' ? cell.toLocaleString() : cell}</td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The lines of a plan that stand below its tables. */
function linesOf(plan: ArchivePlan): string[] {
  const { changed = 0, removed = 0, reacted = 0, kept_as_edited: kept = 0 } = plan.messages;
  return [
    ...(changed > 0 ? [importText.changedHere(changed)] : []),
    ...(removed > 0 ? [importText.removedHere(removed)] : []),
    ...(reacted > 0 ? [importText.reactedHere(reacted)] : []),
    ...(kept > 0 ? [importText.keptAsEdited(kept)] : []),
    ...plan.renamed_channels.map(({ name, as }) => importText.renamed(name, as)),
    ...[...plan.conflicts, ...plan.notes].map((one) => reasonOf(one.text, one)),
    ...(plan.lines_left_out > 0 ? [importText.more(plan.lines_left_out)] : []),
  ];
}

/** Shows what an import brings, or has brought. */
export function PlanTables({ title, plan }: { title: string; plan: ArchivePlan }): ComponentChildren {
  const reasons = (list: readonly Reason[]) =>
    list.map((one) => [nameOfKind(one.kind), one.count, reasonOf(one.reason, one)]);
  const rows = Object.entries(plan.left_out_rows).map(([kind, count]) => [kind, count, '']);
  const lines = linesOf(plan);
  const counted = [
    [importText.people, plan.people],
    [importText.channels, plan.channels],
    [importText.emoji, plan.emoji],
    [importText.messages, plan.messages],
  ] as const;
  const why = [importText.kind, importText.count, importText.why];
  return (
    <>
      <Table
        caption={title}
        head={[importText.kind, importText.isNew, importText.isHere]}
        rows={counted.map(([name, { created, here }]) => [name, created, here])}
      />
      {plan.is_done && <p>{importText.isDone}</p>}
      <Table
        caption={importText.archive}
        head={[importText.kind, importText.read, importText.kept, importText.changed, importText.leftOut]}
        rows={plan.kinds.map((one) => [nameOfKind(one.kind), one.read, one.kept, one.changed, one.left_out])}
      />
      <Table caption={importText.changed} head={why} rows={reasons(plan.changed)} />
      <Table caption={importText.leftOut} head={why} rows={[...reasons(plan.left_out), ...rows]} />
      {lines.length > 0 && (
        <details>
          <summary>{importText.conflicts}</summary>
          <ul>
            {lines.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

import type { ConversionReport, MergePlan } from '@parley/archive';
import { type ArchivePlan, importLimits } from '@parley/protocol';

const lists = ['notes', 'conflicts', 'renamed_channels', 'left_out', 'changed'] as const;

/** Returns what becomes of an archive as owners read it, no larger than a row may be. */
export function presentPlan(plan: MergePlan, report: ConversionReport | null): ArchivePlan {
  const { here, created, changed, removed, keptAsEdited, reacted } = plan.messages;
  const whole: ArchivePlan = {
    source: report?.source ?? 'parley',
    is_done: plan.isDone,
    people: plan.people,
    channels: plan.channels,
    emoji: plan.emoji,
    messages: {
      here,
      created,
      ...(changed !== undefined && { changed, removed, kept_as_edited: keptAsEdited, reacted }),
    },
    renamed_channels: plan.renamed,
    left_out_rows: plan.leftOut,
    kinds: Object.entries(report?.kinds ?? {}).flatMap(([kind, counts]) =>
      counts.read === 0
        ? []
        : [
            {
              kind,
              read: counts.read,
              kept: counts.kept,
              changed: counts.changed,
              left_out: counts.leftOut,
            },
          ],
    ),
    changed: report?.changed ?? [],
    left_out: report?.leftOut ?? [],
    conflicts: report?.conflicts ?? [],
    notes: report?.notes ?? [],
    lines_left_out: report?.conflictsLeftOut ?? 0,
  };
  return shorten(whole, importLimits.planBytes);
}

const sizeOf = (plan: ArchivePlan) => Buffer.byteLength(JSON.stringify(plan));

/** Shortens the longest lists until all of it has at most so many bytes. */
function shorten(plan: ArchivePlan, bytesMax: number): ArchivePlan {
  let shorter = plan;
  while (sizeOf(shorter) > bytesMax) {
    const longest = lists.toSorted((a, b) => shorter[b].length - shorter[a].length)[0];
    const length = longest === undefined ? 0 : shorter[longest].length;
    if (longest === undefined || length === 0) return shorter;
    const kept = Math.floor(length / 2);
    const lost = length - kept;
    shorter = {
      ...shorter,
      [longest]: shorter[longest].slice(0, kept),
      lines_left_out: shorter.lines_left_out + lost,
    };
  }
  return shorter;
}

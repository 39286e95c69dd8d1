import type { Subscription } from '@parley/client';

import { locale } from '../../strings/language.ts';
import { sidebarText } from '../../strings/shell.ts';

export interface Folder {
  id: number;
  name: string;
  order: number;
  is_archived?: boolean;
}

/** Channels that stand together. */
export interface Section {
  key: string;
  title: string;
  channels: readonly Subscription[];
}

const byName = new Intl.Collator(locale(), { sensitivity: 'base', numeric: true }).compare;

/** Muted channels stand below the others. */
const inOrder = (a: Subscription, b: Subscription) =>
  Number(a.is_muted) - Number(b.is_muted) || byName(a.name, b.name);

/** Pinned channels, folders in the organization's order, and the rest; without what is empty. */
export function sectionsOf(subscriptions: Iterable<Subscription>, folders: readonly Folder[]): Section[] {
  const pinned: Subscription[] = [];
  const others: Subscription[] = [];
  const inFolders = new Map<number, Subscription[]>(
    folders.filter(({ is_archived }) => !is_archived).map(({ id }) => [id, []]),
  );
  for (const channel of subscriptions) {
    if (channel.is_archived) continue;
    const folder = channel.folder_id === null ? undefined : inFolders.get(channel.folder_id);
    (channel.pin_to_top ? pinned : (folder ?? others)).push(channel);
  }
  const sections = [
    { key: 'pinned', title: sidebarText.pinned, channels: pinned },
    ...folders
      .toSorted((a, b) => a.order - b.order)
      .map(({ id, name }) => ({ key: `folder ${id}`, title: name, channels: inFolders.get(id) ?? [] })),
    { key: 'others', title: sidebarText.channels, channels: others },
  ];
  return sections
    .filter(({ channels }) => channels.length > 0)
    .map((section) => ({ ...section, channels: section.channels.toSorted(inOrder) }));
}

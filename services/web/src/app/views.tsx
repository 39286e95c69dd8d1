import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';

import { MessagesView } from '../features/messages/index.ts';
import { viewText } from '../strings/views.ts';
import { loadAround } from './load-around.ts';

interface View {
  /** As wouter matches it against the fragment, with a slash before it. */
  path: string;
  /** Null for a view that names itself. */
  title: string | null;
  component: ComponentType;
  /** Whether it shows nothing to those without an account. */
  isForMembers?: boolean;
}

/**
 * Every view of the main column, by fragment. What is not needed at the first look is a chunk of its own: a line such as
 * `component: lazy(async () => ({ default: (await import('../features/recent/index.ts')).Recent }))`.
 */
export const views: readonly View[] = [
  { path: '/narrow/*?', title: null, component: MessagesView },
  {
    path: '/inbox',
    title: viewText.inbox,
    component: lazy(async () => ({ default: (await loadAround()).Inbox })),
    isForMembers: true,
  },
  { path: '/feed', title: null, component: MessagesView },
  {
    path: '/recent',
    title: viewText.recent,
    isForMembers: true,
    component: lazy(async () => ({ default: (await import('../features/recent/index.ts')).Recent })),
  },
  {
    path: '/channels/*?',
    title: viewText.channels,
    isForMembers: true,
    component: lazy(async () => ({
      default: (await import('../features/channels/index.ts')).ChannelsView,
    })),
  },
  {
    path: '/settings/*?',
    title: viewText.settings,
    isForMembers: true,
    component: lazy(async () => ({ default: (await import('../features/settings/index.ts')).Settings })),
  },
  {
    path: '/administration/*?',
    title: viewText.organization,
    isForMembers: true,
    component: lazy(async () => ({
      default: (await import('../features/administration/index.ts')).Administration,
    })),
  },
  {
    path: '/drafts',
    title: viewText.drafts,
    component: lazy(async () => ({ default: (await import('../features/unsent/index.ts')).DraftsView })),
  },
  {
    path: '/scheduled',
    title: viewText.scheduled,
    component: lazy(async () => ({
      default: (await import('../features/unsent/index.ts')).ScheduledView,
    })),
  },
  {
    path: '/about',
    title: viewText.about,
    component: lazy(async () => ({ default: (await import('./about.tsx')).About })),
  },
];

/** The fragment that is shown first, by the values of the setting `web_home_view`. */
export const homeViews: Readonly<Record<string, string>> = {
  inbox: 'inbox',
  recent_topics: 'recent',
  all_messages: 'feed',
};

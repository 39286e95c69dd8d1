import type { ComponentType } from 'preact';
import { lazy } from 'preact/compat';

import { Inbox } from '../inbox/inbox.tsx';
import { MessagesView } from '../messages/messages-view.tsx';

interface View {
  /** As wouter matches it against the fragment, with a slash before it. */
  path: string;
  title: string;
  component: ComponentType;
  /** Whether it shows nothing to those without an account. */
  isForMembers?: boolean;
}

/**
 * Every view of the main column, by fragment. What is not needed at the first look is a chunk of its own: a line such as
 * `component: lazy(async () => ({ default: (await import('../recent/recent.tsx')).Recent }))`.
 */
export const views: readonly View[] = [
  { path: '/narrow/*?', title: 'Messages', component: MessagesView },
  { path: '/inbox', title: 'Inbox', component: Inbox, isForMembers: true },
  { path: '/feed', title: 'Combined feed', component: MessagesView },
  {
    path: '/recent',
    title: 'Recent conversations',
    isForMembers: true,
    component: lazy(async () => ({ default: (await import('../recent/recent.tsx')).Recent })),
  },
  {
    path: '/settings/*?',
    title: 'Settings',
    isForMembers: true,
    component: lazy(async () => ({ default: (await import('../settings/settings.tsx')).Settings })),
  },
  {
    path: '/administration/*?',
    title: 'Organization',
    isForMembers: true,
    component: lazy(async () => ({
      default: (await import('../administration/administration.tsx')).Administration,
    })),
  },
  {
    path: '/drafts',
    title: 'Drafts',
    component: lazy(async () => ({ default: (await import('../drafts/drafts-view.tsx')).DraftsView })),
  },
  {
    path: '/scheduled',
    title: 'To be sent later',
    component: lazy(async () => ({
      default: (await import('../scheduled/scheduled-view.tsx')).ScheduledView,
    })),
  },
  {
    path: '/about',
    title: 'About',
    component: lazy(async () => ({ default: (await import('../shell/about.tsx')).About })),
  },
];

/** The fragment that is shown first, by the values of the setting `web_home_view`. */
export const homeViews: Readonly<Record<string, string>> = {
  inbox: 'inbox',
  recent_topics: 'recent',
  all_messages: 'feed',
};

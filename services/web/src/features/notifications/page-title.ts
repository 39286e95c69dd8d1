import { useSignalEffect } from '@preact/signals';

import { viewTitle } from '../../base/router/view-title.ts';
import { own, slice, userSetting } from '../../data/live/state.ts';
import { isSpectator } from '../../data/session/session.ts';
import { showAppBadge } from './badge.ts';
import { unreadShown } from './unread-shown.ts';

/** Keeps the title and the icon of the page: what is shown, and how much is unread. */
export function usePageTitle(): void {
  useSignalEffect(() => {
    const count = isSpectator() ? 0 : countNow();
    const title = [viewTitle.value, own('realm_name')].filter(Boolean).join(' – ');
    document.title = count === 0 ? title : `(${count}) ${title}`;
    showIcon(count);
    showAppBadge(count);
  });
}

const countNow = () =>
  unreadShown(
    {
      unread: slice('unread'),
      mentions: slice('mentions'),
      topics: slice('topics'),
      subscriptions: slice('subscriptions'),
    },
    Number(userSetting('desktop_icon_count_display') ?? 1),
  );

const bubble =
  '<path fill="#3a5bd0" d="M6 3h20a4 4 0 0 1 4 4v13a4 4 0 0 1-4 4H14l-8 6v-6a4 4 0 0 1-4-4V7a4 4 0 0 1 4-4z"/>';
const lines = '<path stroke="#fff" stroke-width="2.6" stroke-linecap="round" d="M9 11h14M9 17h9"/>';

/** The icon, with a number where something is unread. */
function showIcon(count: number): void {
  const link = document.querySelector<HTMLLinkElement>('link[rel=icon]');
  if (!link) return;
  const text = count > 99 ? '99' : String(count);
  const number = `<text x="16" y="19.5" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="17" fill="#fff">${text}</text>`;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">${bubble}${count === 0 ? lines : number}</svg>`;
  link.href = `data:image/svg+xml,${encodeURIComponent(svg)}`;
}

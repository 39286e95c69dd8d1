import type { ComponentChildren } from 'preact';

import { channelsText } from '../../strings/channels.ts';

/** The heading of a page below the list of channels. */
export const Crumbs = ({ children }: { children: ComponentChildren }) => (
  <h1 dir="auto">
    <a class="crumb" href="#channels">
      {channelsText.title}
    </a>
    <span class="dim"> › </span>
    {children}
  </h1>
);

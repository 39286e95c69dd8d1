import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { Router } from 'wouter-preact';
import { useHashLocation } from 'wouter-preact/use-hash-location';

import { Menu } from '../src/base/dialogs/menu.tsx';
import { drawings } from '../src/base/states/drawings.tsx';
import { Empty } from '../src/base/states/empty.tsx';
import { Skeleton } from '../src/base/states/skeleton.tsx';
import { Toasts } from '../src/base/toasts/toasts.tsx';
import { ActionDialogs } from '../src/features/actions/index.ts';
import { Avatar, GroupAvatar } from '../src/features/avatars/index.ts';
import { ChannelsView } from '../src/features/channels/index.ts';
import { Compose } from '../src/features/compose/index.ts';
import { EmojiPopover } from '../src/features/emoji/index.ts';
import { Inbox } from '../src/features/inbox/index.ts';
import { FoundBar, FoundList, MessagesView } from '../src/features/messages/index.ts';
import { People, Profile } from '../src/features/people/index.ts';
import { SearchField } from '../src/features/search/index.ts';
import { Sidebar } from '../src/features/sidebar/index.ts';

import '../src/app/shell.css';
import './gallery.css';
import { Buttons, Counts, Fields, Openers, Settings } from './controls.tsx';

const names = Object.keys(drawings) as (keyof typeof drawings)[];
const searched = { terms: [{ operator: 'search', operand: 'contrast', negated: false }], near: null };
const saved = { terms: [{ operator: 'search', operand: 'colour', negated: false }], near: null };
const ids = Array.from({ length: 12 }, (_, at) => at + 1);

const Part = ({
  title,
  children,
  isTall = false,
}: {
  title: string;
  children: ComponentChildren;
  isTall?: boolean;
}) => (
  <section class="gallery-part">
    <h2>{title}</h2>
    <div class={`gallery-stand ${isTall ? 'is-tall' : ''}`}>{children}</div>
  </section>
);

/** The bar above results: of messages, by conversation, and of a search that is saved. */
const Results = () => (
  <Part title="Results of a search" isTall>
    <FoundBar narrow={searched} isGrouped={signal(false)} />
    <FoundBar narrow={searched} isGrouped={signal(true)} />
    <FoundBar narrow={saved} isGrouped={signal(true)} order={signal<'newest' | 'relevance'>('relevance')} />
    <FoundList narrow={searched} entry="results" />
  </Part>
);

/** Every component with its states, on one page: the components themselves, over an organization of samples. */
export const Gallery = () => (
  <Router hook={useHashLocation}>
    <main class="gallery">
      <h1>Parley</h1>
      <Part title="Buttons">
        <Buttons />
      </Part>
      <Part title="Fields">
        <Fields />
      </Part>
      <Part title="Settings">
        <Settings />
      </Part>
      <Part title="People, counts and channels">
        <p class="gallery-row">
          {ids.map((id) => (
            <Avatar key={id} id={id} />
          ))}
        </p>
        <p class="gallery-row">
          {ids.slice(0, 4).map((id) => (
            <Avatar key={id} id={id} size={20} hasPresence />
          ))}
          <GroupAvatar count={4} />
          <Avatar id={3} size={28} hasPresence />
          <Avatar id={5} size={72} />
        </p>
        <Counts />
      </Part>
      <Part title="Search">
        <SearchField />
      </Part>
      <Part title="What opens">
        <Openers />
      </Part>
      <Part title="The sidebar" isTall>
        <Sidebar />
      </Part>
      <Part title="The column of people" isTall>
        <People />
      </Part>
      <Part title="Messages" isTall>
        <div class="main-column">
          <MessagesView />
          <Compose />
        </div>
      </Part>
      <Results />
      <Part title="The inbox" isTall>
        <Inbox />
      </Part>
      <Part title="The channels" isTall>
        <ChannelsView />
      </Part>
      <Part title="Nothing yet, and nothing at all">
        <div class="gallery-grid">
          <Skeleton rows={3} />
          <Skeleton rows={6} kind="lines" />
          {names.map((name) => (
            <Empty key={name} drawing={name} text={`There is nothing here: ${name}.`}>
              <button type="button">Lead on</button>
            </Empty>
          ))}
        </div>
      </Part>
    </main>
    <Menu />
    <ActionDialogs />
    <EmojiPopover />
    <Profile />
    <Toasts />
  </Router>
);

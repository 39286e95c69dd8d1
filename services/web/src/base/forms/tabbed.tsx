import { ArrowLeft } from 'lucide-preact';
import type { ComponentType } from 'preact';

import './forms.css';
import { shellText } from '../../strings/shell.ts';
import { useFragment } from '../router/fragment.ts';

export interface Tab {
  /** The last part of the fragment. */
  path: string;
  title: string;
  component: ComponentType;
}

/** A view of several pages, each with an address of its own: `#settings/display`. */
export function Tabbed({ base, name, tabs }: { base: string; name: string; tabs: readonly Tab[] }) {
  const [, path] = useFragment().split('/');
  const shown = tabs.find((tab) => tab.path === path) ?? tabs[0];
  if (!shown) return <p class="plain-page">{shellText.nothingToChange}</p>;
  const { component: Shown } = shown;
  return (
    <div class="tabbed-page">
      <nav class="tab-links" aria-label={name}>
        <a class="tab-back" href="#home">
          <ArrowLeft class="small-icon mirrored" /> {shellText.back}
        </a>
        <h2>{name}</h2>
        {tabs.map((tab) => (
          <a key={tab.path} href={`#${base}/${tab.path}`} aria-current={tab === shown ? 'page' : undefined}>
            {tab.title}
          </a>
        ))}
      </nav>
      {/* What is longer than the page scrolls by keys too. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
      <div class="tabbed" tabIndex={0} role="region" aria-label={shown.title}>
        <h1>{shown.title}</h1>
        <Shown key={shown.path} />
      </div>
    </div>
  );
}

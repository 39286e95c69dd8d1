import { Suspense, lazy } from 'preact/compat';

import { useFragment } from '../../base/router/fragment.ts';
import { Skeleton } from '../../base/states/skeleton.tsx';
import { ChannelList } from './channel-list.tsx';
import { ChannelPage } from './channel-page.tsx';
import { TopicsPage } from './topics-page.tsx';

import './channels.css';

const NewChannelPage = lazy(async () => ({
  default: (await import('./new-channel-page.tsx')).NewChannelPage,
}));

/** The channels of the organization, one of them, or a new one. */
export function ChannelsView() {
  const [, page = '', part] = useFragment().split('/');
  const id = Number.parseInt(page, 10);
  return (
    <div class="channels">
      {page === 'new' ? (
        <Suspense fallback={<Skeleton />}>
          <NewChannelPage />
        </Suspense>
      ) : Number.isNaN(id) ? (
        <ChannelList />
      ) : part === 'topics' ? (
        <TopicsPage key={id} id={id} />
      ) : (
        <ChannelPage key={id} id={id} />
      )}
    </div>
  );
}

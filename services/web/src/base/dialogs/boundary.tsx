import { Component, type ComponentChildren } from 'preact';

import { commonText } from '../../strings/common.ts';
import { shellText } from '../../strings/shell.ts';
import { Empty } from '../states/empty.tsx';

/** Shows what failed in a part of the page, in its place; the rest of the page goes on. */
export class Boundary extends Component<{ children: ComponentChildren }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static override getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;
    return (
      <Empty drawing="cable" text={`${shellText.failure} ${error.message}`} isRefusal>
        <button type="button" class="primary" onClick={() => this.setState({ error: null })}>
          {commonText.tryAgain}
        </button>
        <button type="button" onClick={() => location.reload()}>
          {shellText.reload}
        </button>
      </Empty>
    );
  }
}

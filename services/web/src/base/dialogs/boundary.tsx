import { Component, type ComponentChildren } from 'preact';

import { commonText } from '../../strings/common.ts';
import { shellText } from '../../strings/shell.ts';

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
      <div class="failure" role="alert">
        <h1>{shellText.failure}</h1>
        <p>{error.message}</p>
        <button type="button" onClick={() => this.setState({ error: null })}>
          {commonText.tryAgain}
        </button>{' '}
        <button type="button" onClick={() => location.reload()}>
          {shellText.reload}
        </button>
      </div>
    );
  }
}

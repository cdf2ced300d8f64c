import { ErrorState } from '@claret/ui/kit';
import { Component, type ReactNode } from 'react';

/** Shown if the layout itself throws, so that the page is never empty. */
export class LastResort extends Component<{ comfort: string; children: ReactNode }, { hasBroken: boolean }> {
  override state = { hasBroken: false };

  static getDerivedStateFromError() {
    return { hasBroken: true };
  }

  override render() {
    if (!this.state.hasBroken) return this.props.children;
    return (
      <ErrorState heading="h1" title="Something went wrong" onRetry={() => window.location.reload()}>
        {this.props.comfort} Reloading the page usually helps.
      </ErrorState>
    );
  }
}

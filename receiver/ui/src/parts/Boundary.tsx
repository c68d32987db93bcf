import { Component, type ComponentChildren } from 'preact'

interface Props {
  /** What is inside, as the sentence about its fault names it. */
  what: string
  children: ComponentChildren
}

/** A fault inside stays inside: the rest of the page goes on. */
export class Boundary extends Component<Props, { fault: string | null }> {
  state = { fault: null as string | null }

  static getDerivedStateFromError(error: unknown) {
    return { fault: error instanceof Error ? error.message : String(error) }
  }

  render() {
    if (this.state.fault === null) return this.props.children
    return (
      <div class="failure" role="alert">
        <p><strong>{this.props.what} could not be shown.</strong> This is a fault of the page: {this.state.fault}</p>
        <button type="button" onClick={() => this.setState({ fault: null })}>Try again</button>
      </div>
    )
  }
}

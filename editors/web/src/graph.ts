// The graph of what an operator computes: its nodes lead to the program.

import type * as lsp from 'vscode-languageserver-protocol';

/** A place for a graph, which can be scrolled. */
export class GraphPicture {
  public readonly element = document.createElement('div');
  /** The picture has a style of its own, which a strict policy forbids as an element; as a sheet of a shadow it is allowed. */
  private readonly root: ShadowRoot;
  private readonly style = new CSSStyleSheet();
  private places: readonly (lsp.Location | null)[] = [];

  /** `go` shows a place of the program. */
  public constructor(private readonly go: (place: lsp.Location) => void) {
    this.element.className = 'graph';
    this.element.hidden = true;
    this.element.tabIndex = 0;
    this.root = this.element.attachShadow({ mode: 'open' });
    this.root.adoptedStyleSheets = [this.style];
    this.element.addEventListener('click', (event) => { this.lead(event); });
    this.element.addEventListener('keydown', (event) => {
      if (event.key === 'Enter') {
        this.lead(event);
      }
    });
  }

  /** Shows a picture of the server's, with the places that its nodes have numbers of. */
  public show(svg: string, label: string, places: readonly (lsp.Location | null)[]): void {
    this.places = places;
    let styles = '[data-place] { cursor: pointer; }';
    // Even a document that is only parsed may have no element with styles.
    const unstyled = svg.replace(/<style>([^<]*)<\/style>/g, (_, style: string) => {
      styles += style;
      return '';
    });
    this.style.replaceSync(styles);
    const drawn = new DOMParser().parseFromString(unstyled, 'image/svg+xml').documentElement;
    for (const node of drawn.querySelectorAll('[data-place]')) {
      node.setAttribute('tabindex', '0');
      node.setAttribute('role', 'link');
    }
    this.element.role = 'group';
    this.element.ariaLabel = label;
    this.root.replaceChildren(document.importNode(drawn, true));
  }

  private lead(event: Event): void {
    const [target] = event.composedPath();
    const node = target instanceof Element ? target.closest('[data-place]') : null;
    const place = this.places[Number(node?.getAttribute('data-place') ?? NaN)];
    if (place !== null && place !== undefined) {
      this.go(place);
    }
  }
}

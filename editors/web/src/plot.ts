// The picture of an operator and its derivatives, whose range, order and point can be moved; or the graph of what they
// compute, whose nodes lead to the program.

import type * as lsp from 'vscode-languageserver-protocol';
import { GraphPicture } from './graph';

/** The answer to `frank/plot`, as far as it is shown. */
export interface Plot {
  call: string;
  variable: string;
  x: [number, number];
  point: { variable: string; value: number }[];
  svg?: string;
}

/** What is to be drawn; what is not there the server chooses. */
export interface Wanted {
  from?: number;
  to?: number;
  order: number;
  moved: Record<string, number>;
}

/** The answer to `frank/graph`. */
export interface Graph {
  point: Plot['point'];
  svg: string | null;
  /** Where what the nodes compute stands. */
  places: (lsp.Location | null)[];
  /** Why not all derivatives are in it. */
  missing?: string | null;
}

/** Asks for pictures of the operator, in the text as it is, and shows places of it. */
export interface Draw {
  plot: (wanted: Wanted) => Promise<Plot>;
  graph: (moved: Record<string, number>) => Promise<Graph>;
  go: (place: lsp.Location) => void;
}

const CANNOT_DRAW = 'This server was built without pictures.';

const shortly = (value: number): string => String(Number(value.toPrecision(4)));

/** Fills a place with a picture and its controls. */
export class PlotView {
  private readonly picture = document.createElement('img');
  private readonly graph = new GraphPicture((place) => { this.draw.go(place); });
  private readonly view = document.createElement('select');
  private readonly error = document.createElement('p');
  private readonly sliders = document.createElement('div');
  private readonly from = numberField('from');
  private readonly to = numberField('to');
  private readonly order = document.createElement('select');
  /** Controls that a graph has no use for. */
  private readonly ofPlot: HTMLElement[];
  private readonly moved: Record<string, number> = {};
  private inputs: { variable: string; input: HTMLInputElement; output: HTMLOutputElement }[] = [];
  private isAsking = false;
  /** What is shown, or asked for, is not what is wanted by now. */
  private isOld = false;

  public constructor(
    place: HTMLElement,
    private readonly name: string,
    private readonly draw: Draw,
  ) {
    const form = document.createElement('div');
    form.className = 'controls';
    const view = document.createElement('label');
    view.append('show ', this.view);
    this.view.append(new Option('plot'), new Option('graph'));
    const order = document.createElement('label');
    order.append('derivatives ', this.order);
    for (const number of ['0', '1', '2']) {
      this.order.append(new Option(number, number, number === '1', number === '1'));
    }
    this.ofPlot = [this.from.label, this.to.label, order];
    form.append(view, ...this.ofPlot, this.sliders);
    form.addEventListener('change', () => { void this.show(); });
    this.error.setAttribute('role', 'alert');
    this.error.className = 'failure';
    this.picture.alt = `${name} and its derivatives`;
    this.picture.hidden = true;
    this.sliders.className = 'sliders';
    place.replaceChildren(form, this.error, this.picture, this.graph.element);
  }

  /** Draws what is wanted now. At most one picture is asked for: whoever moves a slider wants the last one. */
  public async show(): Promise<void> {
    this.isOld = true;
    if (this.isAsking) {
      return;
    }
    this.isAsking = true;
    while (this.isOld) {
      this.isOld = false;
      await this.showOne();
    }
    this.isAsking = false;
  }

  private async showOne(): Promise<void> {
    const isGraph = this.view.value === 'graph';
    this.ofPlot.forEach((control) => { control.hidden = isGraph; });
    try {
      const show = isGraph ? await this.asGraph() : await this.asPlot();
      this.error.textContent = '';
      this.picture.hidden = isGraph;
      this.graph.element.hidden = !isGraph;
      show();
    } catch (error) {
      this.error.textContent = error instanceof Error ? error.message : String(error);
      // The last one is not what was asked for.
      this.picture.hidden = true;
      this.graph.element.hidden = true;
    }
  }

  private async asPlot(): Promise<() => void> {
    const wanted: Wanted = { order: Number(this.order.value), moved: this.moved };
    for (const end of ['from', 'to'] as const) {
      const { value } = this[end].input;
      if (value !== '') {
        wanted[end] = Number(value);
      }
    }
    const plot = await this.draw.plot(wanted);
    return () => { this.place(plot); };
  }

  private async asGraph(): Promise<() => void> {
    const { svg, point, places, missing } = await this.draw.graph(this.moved);
    if (svg === null) {
      throw new Error(CANNOT_DRAW);
    }
    return () => {
      this.graph.show(svg, `${this.name} and its derivatives, operation by operation`, places);
      this.error.textContent = missing ?? '';
      this.slidersFor(point);
    };
  }

  private place({ svg, x, point, variable, call }: Plot): void {
    if (svg !== undefined) {
      this.picture.src = `data:image/svg+xml;utf8,${encodeURIComponent(svg)}`;
      this.picture.alt = `${call} and its derivatives, for ${variable} from ${shortly(x[0])} to ${shortly(x[1])}`;
    } else {
      this.picture.hidden = true;
      this.error.textContent = CANNOT_DRAW;
    }
    this.from.input.placeholder = shortly(x[0]);
    this.to.input.placeholder = shortly(x[1]);
    this.slidersFor(point, { variable, x });
  }

  /** A slider for each variable, made when the variables are known and left alone while it is moved. */
  private slidersFor(point: Plot['point'], varied?: Pick<Plot, 'variable' | 'x'>): void {
    if (point.map((one) => one.variable).join(' ') !== this.inputs.map((one) => one.variable).join(' ')) {
      this.inputs = point.map(({ variable: moved }) => this.slider(moved));
    }
    for (const [index, { input, output }] of this.inputs.entries()) {
      const value = point[index]?.value ?? 0;
      if (document.activeElement === input) {
        continue;
      }
      // The varied one goes over the picture; others, and all of a graph, around where they are.
      const isVaried = varied !== undefined && point[index]?.variable === varied.variable;
      const [least, most] = isVaried ? varied.x : [Math.min(Number(input.min || value - 3), value), Math.max(Number(input.max || value + 3), value)];
      [input.min, input.max, input.value] = [String(least), String(most), String(value)];
      output.value = shortly(value);
    }
  }

  private slider(variable: string): { variable: string; input: HTMLInputElement; output: HTMLOutputElement } {
    if (this.inputs.length > 0) {
      this.sliders.replaceChildren();
      this.inputs = [];
    }
    const label = this.sliders.appendChild(document.createElement('label'));
    const input = document.createElement('input');
    const output = document.createElement('output');
    input.type = 'range';
    input.step = 'any';
    label.append(variable, input, output);
    input.addEventListener('input', () => {
      const value = Number(input.value);
      this.moved[variable] = value;
      output.value = shortly(value);
      void this.show();
    });
    return { variable, input, output };
  }
}

function numberField(name: string): { label: HTMLLabelElement; input: HTMLInputElement } {
  const label = document.createElement('label');
  const input = document.createElement('input');
  input.type = 'number';
  input.step = 'any';
  label.append(`${name} `, input);
  return { label, input };
}

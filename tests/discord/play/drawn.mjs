// A message as a client shows it, as HTML: for pictures.mjs, and for the page of try.mjs. All text is escaped.
import { TYPE } from '../fake/rules.mjs';

const LINK = 5;
const ENTITIES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escape = text => String(text).replace(/[&<>"']/g, each => ENTITIES[each]);

/** `nameOf(id)`: of a person or a channel, with its sign. `open`: menus stand open, with the choices that are explained. */
export class Drawn {
  constructor(nameOf, { open = false } = {}) {
    Object.assign(this, { nameOf, open });
  }

  markdown(text) {
    return escape(text ?? '')
      .replace(/&lt;[@#](\d+)&gt;/g, (all, id) => `<b class=call>${escape(this.nameOf(id))}</b>`)
      .replace(/&lt;t:(\d+):R&gt;/g, '<time data-at=$1>in 20 seconds</time>').replace(/\*\*(.+?)\*\*/gs, '<b>$1</b>')
      .replace(/^-# (.*)$/gm, '<small>$1</small>').replace(/\\(&\w+;|&#39;|.)/g, '$1').replace(/\n/g, '<br>');
  }

  #menu({ custom_id: id, placeholder, options, max_values: most = 1 }) {
    const told = option => `${escape(option.label)}${option.description ? `<small>${escape(option.description)}</small>` : ''}`;
    const choices = options.filter(option => !this.open || option.description).map(option => (most === 1
      ? `<button data-id="${escape(id)}" data-value="${escape(option.value)}">${told(option)}</button>`
      : `<label><input type=checkbox value="${escape(option.value)}"${option.default ? ' checked' : ''}>${told(option)}</label>`));
    return `<details class=menu${this.open ? ' open' : ''}><summary>${escape(placeholder ?? 'Choose')}</summary>${choices.join('')}${
      most === 1 ? '' : `<button class=style1 data-id="${escape(id)}" data-many>OK</button>`}</details>`;
  }

  #button({ custom_id: id, style, label, disabled, url }) {
    const does = style === LINK ? `data-to="${escape(url.split('/').at(-1))}"` : `data-id="${escape(id)}"`;
    return `<button class="button style${Number(style)}" ${does}${disabled ? ' disabled' : ''}>${escape(label ?? '')}</button>`;
  }

  #component(component) {
    const inner = () => (component.components ?? []).map(each => this.#component(each)).join('');
    switch (component.type) {
      case TYPE.row: return `<div class=row>${inner()}</div>`;
      case TYPE.button: return this.#button(component);
      case TYPE.select: return this.#menu(component);
      case TYPE.text: return `<div>${this.markdown(component.content)}</div>`;
      case TYPE.separator: return '<hr>';
      case TYPE.container: return this.#box(component.accent_color, inner());
      default: return inner();
    }
  }

  #box(color, inner) {
    return `<div class=box${Number.isInteger(color) ? ` style="border-color:#${color.toString(16).padStart(6, '0')}"` : ''}>${inner}</div>`;
  }

  message({ author, content, embeds = [], components = [] }) {
    const boxes = embeds.map(embed => this.#box(embed.color, this.markdown(embed.description)));
    return `<div class=who>${escape(author.global_name ?? author.username)}</div>${this.markdown(content)}${boxes.join('')}${
      components.map(each => this.#component(each)).join('')}`;
  }

  form({ title, components }) {
    const fields = components.map(each => {
      const { custom_id: id, placeholder = '', value = '', required = true } = each.component ?? each.components?.[0] ?? {};
      return id === undefined ? this.#component(each) : `<label>${escape(each.label ?? title)}<small>${escape(each.description ?? '')}</small>
<input name="${escape(id)}" placeholder="${escape(placeholder)}" value="${escape(value)}"${required ? ' required' : ''}></label>`;
    });
    return `<b>${escape(title)}</b>${fields.join('')}<div class=row><button class="button style1">Submit</button>
<button class="button style2" type=button data-close>Cancel</button></div>`;
  }
}

export const STYLE = `body{background:#313338;color:#dbdee1;font:15px/1.35 "DejaVu Sans",sans-serif;margin:12px;overflow-wrap:anywhere}
.message{margin-bottom:16px;max-width:600px}.box{background:#2b2d31;border-left:4px solid #4e5058;border-radius:4px;padding:10px 12px}
.who{color:#fff;font-weight:bold}.row{display:flex;flex-wrap:wrap;gap:6px;margin-top:8px}small{color:#949ba4}.call{color:#c9cdfb}
button{font:inherit;color:#fff;border:0;text-align:left}button:disabled{opacity:.5}.button{padding:6px 12px;border-radius:4px;font-size:14px}
.button,.style2,.style5{background:#4e5058}.style1{background:#5865f2}.style3{background:#248046}.style4{background:#da373c}
.menu{background:#1e1f22;padding:8px;border-radius:4px;flex:1}.menu summary{list-style:none}.menu summary:after{content:" ▾"}
.menu button,.menu label{display:block;width:100%;padding:5px 0;background:none}.menu .style1{background:#5865f2;padding:6px}
.menu small{display:block}`;

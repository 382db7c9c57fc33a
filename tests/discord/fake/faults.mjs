// Faults of REST, scripted: what goes wrong with which request, how often.
//
//   faults.add({ method: 'PATCH', template: '/channels/{channel_id}/messages/{message_id}', times: 2, status: 500 })
//
// `when: 'after'`: the request takes effect and its answer is lost or replaced. `hang`: no answer at all; `cut`: the
// connection is closed. `if(request)` picks more exactly. Without `times` once; Infinity for ever.
export class Faults {
  #list = [];

  add(fault) {
    this.#list.push({ times: 1, when: 'before', ...fault, left: fault.times ?? 1 });
    return this;
  }

  clear() {
    this.#list = [];
  }

  /** The fault that meets a request, or undefined; it is used up by one. */
  meet(request) {
    const fault = this.#list.find(each => each.left > 0 && (!each.method || each.method === request.method) &&
      (!each.template || each.template === request.template) && (!each.if || each.if(request)));
    if (fault) fault.left--;
    return fault;
  }
}

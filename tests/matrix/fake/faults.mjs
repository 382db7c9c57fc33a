// Faults, scripted: what goes wrong with which request, how often.
//
//   faults.add({ method: 'PUT', call: 'send', times: 2, status: 500 })
//
// `call` is the name of an endpoint (calls.mjs). `when: 'after'`: the request takes effect and its answer is lost or
// replaced. `hang`: no answer at all; `cut`: the connection is closed; `body`, `headers`: what is answered instead, a
// string is sent as it is. `hold(request)`: it takes effect behind what that does. `if(request)` picks more exactly. Without `times` once; Infinity for ever.
export class Faults {
  #list = [];

  add(fault) {
    this.#list.push({ when: 'before', ...fault, left: fault.times ?? 1 });
    return this;
  }

  clear() {
    this.#list = [];
  }

  /** The fault that meets a request, or undefined; it is used up by one. */
  meet(request) {
    const fault = this.#list.find(each => each.left > 0 && (!each.method || each.method === request.method) &&
      (!each.call || each.call === request.call) && (!each.if || each.if(request)));
    if (fault) fault.left--;
    return fault;
  }
}

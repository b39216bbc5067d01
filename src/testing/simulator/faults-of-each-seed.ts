/** Fire a dozen times or more in nearly every seed of full size: a seed without one of them is vacuous. */
export const FAULTS_OF_EACH_SEED = [
  ...['slow', 'rate_limited', 'server_error_before', 'server_error_after', 'timeout_before', 'timeout_after'],
  ...['connection_lost_before', 'connection_lost_after', 'malformed', 'html_404'],
  ...['delivery_lost', 'delivery_doubled', 'delivery_late', 'delivery_reordered', 'delivery_refused', 'killed'],
];

/** The payload that the preset reads. */
export const datadogPayload = {
  id: '$ID',
  alert_id: '$ALERT_ID',
  alert_cycle_key: '$ALERT_CYCLE_KEY',
  alert_transition: '$ALERT_TRANSITION',
  alert_type: '$ALERT_TYPE',
  alert_priority: '$ALERT_PRIORITY',
  alert_scope: '$ALERT_SCOPE',
  alert_title: '$ALERT_TITLE',
  title: '$EVENT_TITLE',
  body: '$TEXT_ONLY_MSG',
  hostname: '$HOSTNAME',
  tags: '$TAGS',
  link: '$LINK',
  date: '$DATE',
  last_updated: '$LAST_UPDATED'
}

export const zabbixScript = `var fields = JSON.parse(value), url = fields.url, key = fields.key, request = new HttpRequest();
delete fields.url;
delete fields.key;
request.addHeader('Content-Type: application/json');
request.addHeader('Authorization: Bearer ' + key);
var answer = request.post(url, JSON.stringify(fields));
if (request.getStatus() < 200 || request.getStatus() > 299) throw 'Tocsin answered ' + request.getStatus() + ': ' + answer;
return 'OK';
`

export function zabbixParameters({ url, key }: { url: string; key: string }) {
  return {
    url,
    key,
    event_id: '{EVENT.ID}',
    event_value: '{EVENT.VALUE}',
    event_update_status: '{EVENT.UPDATE.STATUS}',
    event_name: '{EVENT.NAME}',
    event_nseverity: '{EVENT.NSEVERITY}',
    event_severity: '{EVENT.SEVERITY}',
    event_date: '{EVENT.DATE}',
    event_time: '{EVENT.TIME}',
    event_recovery_date: '{EVENT.RECOVERY.DATE}',
    event_recovery_time: '{EVENT.RECOVERY.TIME}',
    event_opdata: '{EVENT.OPDATA}',
    event_tags: '{EVENT.TAGSJSON}',
    host_name: '{HOST.NAME}',
    host_ip: '{HOST.IP}',
    host_group: '{TRIGGER.HOSTGROUP.NAME}',
    trigger_id: '{TRIGGER.ID}',
    trigger_description: '{TRIGGER.DESCRIPTION}'
  }
}

/** Icinga's macros for the members of the payload, by the type of the object. */
function icingaMacros(type: 'Host' | 'Service') {
  const state = type === 'Host' ? 'host' : 'service'

  return {
    notification_type: '$notification.type$',
    host_name: '$host.name$',
    host_display_name: '$host.display_name$',
    host_address: '$address$',
    ...(type === 'Service' && { service_name: '$service.name$', service_display_name: '$service.display_name$' }),
    state: `$${state}.state$`,
    output: `$${state}.output$`,
    timestamp: '$icinga.timet$'
  }
}

export function icingaScript({ url, key }: { url: string; key: string }) {
  return `#!/bin/sh
# The arguments are names and values of the payload: --arg name value
jq --null-input "$@" '$ARGS.named' | curl --fail --silent --show-error --max-time 20 \\
  --header 'Authorization: Bearer ${key}' --header 'Content-Type: application/json' \\
  --data-binary @- '${url.replaceAll("'", "'\\''")}'
`
}

export function icingaCommand(type: 'Host' | 'Service') {
  const macros = Object.entries(icingaMacros(type)).flatMap(([name, macro]) => ['--arg', name, macro])
  const list = ['/etc/icinga2/scripts/tocsin.sh', ...macros].map(text => `"${text}"`).join(', ')

  return `object NotificationCommand "tocsin-${type.toLowerCase()}" {\n  command = [ ${list} ]\n}\n`
}

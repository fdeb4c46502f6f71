// @ts-nocheck Made from the templates beside it: change them, then run compile-templates.ts.

import type { CompiledTemplate } from './template.ts'

export const CURVE_CERTIFICATE: CompiledTemplate = {"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda;

  return "#   ZeroMQ CURVE certificate of a TrainJob, made from its uid\n\nmetadata\n    name = \""
    + ((stack1 = alias2(alias1(depth0, "name", {"start":{"line":4,"column":14},"end":{"line":4,"column":18}} ), depth0)) != null ? stack1 : "")
    + "\"\ncurve\n    public-key = \""
    + ((stack1 = alias2(alias1(depth0, "publicKey", {"start":{"line":6,"column":20},"end":{"line":6,"column":29}} ), depth0)) != null ? stack1 : "")
    + "\"\n    secret-key = \""
    + ((stack1 = alias2(alias1(depth0, "secretKey", {"start":{"line":7,"column":20},"end":{"line":7,"column":29}} ), depth0)) != null ? stack1 : "")
    + "\"\n";
},"useData":true}

export const FLUX_ENTRYPOINT: CompiledTemplate = {"0":function(container,depth0,helpers,partials,data) {
    var stack1;

  return "  -Sbroker.quorum="
    + ((stack1 = container.lambda(container.strict(depth0, "quorum", {"start":{"line":64,"column":20},"end":{"line":64,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"1":function(container,depth0,helpers,partials,data) {
    return "exit \"$status\"\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda, alias3=depth0 != null ? depth0 : (container.nullContext || {}), lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return "#!/bin/bash\n# Takes the place of the training command and runs it under Flux. The pod "
    + ((stack1 = alias2(alias1(depth0, "leadHost", {"start":{"line":2,"column":76},"end":{"line":2,"column":84}} ), depth0)) != null ? stack1 : "")
    + " starts it; the other pods lend it\n# their cores. Without a command there is just a cluster, to be used from a shell: `. /mnt/flux/flux-view.sh`.\n\nbase=/mnt/flux\nview=\"$base/view\"\nconfig=\"$base/config\"\ncommand=\"$*\"\nsocket=\"local://$config/run/flux/local\"\n\n# Behind what the image has, so that its own Python goes first.\nexport PATH=\"$PATH:$view/bin\"\ncp -R \"$base/software/\"* /opt/software/\n\n# Flux itself runs on the Python it came with.\nlibraries=$(find \"$view\" -maxdepth 2 -type d -path \"$view/lib/python3*\" 2>/dev/null | head -n 1)\npython=\"$view/bin/$(basename \"$libraries\")\"\nif [ -f \"$python\" ]; then\n  rm -rf \"$view/bin/python\" \"$view/bin/python3\"\n  ln -s \"$python\" \"$view/lib/python\" 2>/dev/null\n  ln -s \"$python\" \"$view/lib/python3\" 2>/dev/null\nfi\nexport PYTHONPATH=\"${PYTHONPATH:-}:$libraries/site-packages\"\nexport FLUX_RC_EXTRA=\"$view/etc/flux/rc1.d\"\n\n# For whoever wants Fluxion as scheduler, or works with the cluster from a shell.\ncat > \"$base/load-fluxion.sh\" <<'FLUXION'\nflux module remove sched-simple\nflux module load sched-fluxion-resource\nflux module load sched-fluxion-qmanager\nFLUXION\ncat > \"$base/flux-view.sh\" <<VIEW\n#!/bin/bash\nexport PATH=$PATH\nexport PYTHONPATH=$PYTHONPATH\nexport LD_LIBRARY_PATH=${LD_LIBRARY_PATH:-}:$view/lib\nexport fluxsocket=$socket\nVIEW\n\n# Brokers refuse a certificate that others may read.\ncertificate=\"$config/etc/curve/curve.cert\"\ncp /curve/curve.cert \"$certificate\"\nchmod go-r \"$certificate\"\nchown -R \"$(id -u)\" \"$certificate\"\n\n# What the hosts have to give.\nflux R encode --hosts=\"$(cat \"$config/etc/flux/system/hostlist\")\" "
    + ((stack1 = alias2(alias1(depth0, "resources", {"start":{"line":47,"column":68},"end":{"line":47,"column":77}} ), depth0)) != null ? stack1 : "")
    + " > /tmp/R\nmv /tmp/R \"$config/etc/flux/system/R\"\n\nexport STATE_DIR=\"$config/var/lib/flux\"\nexport FLUX_OUTPUT_DIR=/tmp/fluxout\nmkdir -p \"$STATE_DIR\" \"$FLUX_OUTPUT_DIR\" \"$config/etc/flux/system/cron.d\"\n\nsettings=\"$config/etc/flux/config\"\noptions=(\n  \"-Scron.directory=$config/etc/flux/system/cron.d\"\n  -Stbon.fanout=256\n  \"-Srundir=$config/run/flux\"\n  \"-Sstatedir=$STATE_DIR\"\n  \"-Slocal-uri=$socket\"\n  -Slog-stderr-level=0\n  -Slog-stderr-mode=local\n"
    + ((stack1 = lookupProperty(helpers,"if").call(alias3,lookupProperty(depth0,"quorum"),{"name":"if","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":63,"column":0},"end":{"line":65,"column":7}}})) != null ? stack1 : "")
    + ")\n\nstatus=0\nif [ \"$(hostname)\" = '"
    + ((stack1 = alias2(alias1(depth0, "leadHost", {"start":{"line":69,"column":24},"end":{"line":69,"column":32}} ), depth0)) != null ? stack1 : "")
    + "' ]; then\n  if [ -z \"$command\" ]; then\n    flux broker --config-path \"$settings\" \"${options[@]}\"\n  else\n    echo \"flux run "
    + ((stack1 = alias2(alias1(depth0, "flags", {"start":{"line":73,"column":21},"end":{"line":73,"column":26}} ), depth0)) != null ? stack1 : "")
    + " $command\"\n    # The command is one text: it is split into words here, as it was joined from them.\n    flux start -o --config \"$settings\" \"${options[@]}\" flux run "
    + ((stack1 = alias2(alias1(depth0, "flags", {"start":{"line":75,"column":66},"end":{"line":75,"column":71}} ), depth0)) != null ? stack1 : "")
    + " $command\n  fi\n  status=$?\nelse\n  # The lead broker may come up later than this pod, or again.\n  until flux start -o --config \"$settings\" \"${options[@]}\"; do\n    echo \"The broker ended with code $?; next attempt in 15 seconds.\"\n    sleep 15\n  done\nfi\n\ntouch \"$base/flux-operator-complete.txt\"\n"
    + ((stack1 = lookupProperty(helpers,"if").call(alias3,lookupProperty(depth0,"keepsStatus"),{"name":"if","hash":{},"fn":container.program(1, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":87,"column":0},"end":{"line":89,"column":7}}})) != null ? stack1 : "");
},"useData":true}

export const FLUX_INIT: CompiledTemplate = {"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.strict, alias2=container.lambda;

  return "#!/bin/bash\n# Runs before the training container: puts Flux, and the configuration of its brokers, onto the volume they share.\n# The image of this container has Flux below "
    + ((stack1 = alias2(alias1(depth0, "viewRoot", {"start":{"line":3,"column":47},"end":{"line":3,"column":55}} ), depth0)) != null ? stack1 : "")
    + ".\n\ntarget=/mnt/flux\nconfig=\"$target/config\"\nexport fluxroot="
    + ((stack1 = alias2(alias1(depth0, "viewRoot", {"start":{"line":7,"column":18},"end":{"line":7,"column":26}} ), depth0)) != null ? stack1 : "")
    + "\nexport PATH=\"$fluxroot/bin:$PATH\"\n\necho \"Preparing Flux on $(hostname). The lead broker is "
    + ((stack1 = alias2(alias1(depth0, "leadHost", {"start":{"line":10,"column":58},"end":{"line":10,"column":66}} ), depth0)) != null ? stack1 : "")
    + ".\"\nmkdir -p \"$fluxroot/bin\" \"$target/view\" \\\n  \"$config/etc/curve\" \"$config/etc/flux/config\" \"$config/etc/flux/system/cron.d\" \\\n  \"$config/run/flux\" \"$config/var/lib/flux\"\n\n# All hosts of the job, in Flux's own notation.\necho '"
    + ((stack1 = alias2(alias1(depth0, "hosts", {"start":{"line":16,"column":8},"end":{"line":16,"column":13}} ), depth0)) != null ? stack1 : "")
    + "' > \"$config/etc/flux/system/hostlist\"\n\ncat > \"$config/etc/flux/config/broker.toml\" <<'BROKER'\n[access]\nallow-guest-user = true\nallow-root-owner = true\n\n[resource]\npath = \"/mnt/flux/config/etc/flux/system/R\"\n\n[bootstrap]\ncurve_cert = \"/mnt/flux/config/etc/curve/curve.cert\"\ndefault_port = 8050\ndefault_bind = \"tcp://"
    + ((stack1 = alias2(alias1(depth0, "networkDevice", {"start":{"line":29,"column":24},"end":{"line":29,"column":37}} ), depth0)) != null ? stack1 : "")
    + ":%p\"\ndefault_connect = \"tcp://%h."
    + ((stack1 = alias2(alias1(depth0, "domain", {"start":{"line":30,"column":30},"end":{"line":30,"column":36}} ), depth0)) != null ? stack1 : "")
    + ":%p\"\nhosts = [\n  { host = \""
    + ((stack1 = alias2(alias1(depth0, "hosts", {"start":{"line":32,"column":14},"end":{"line":32,"column":19}} ), depth0)) != null ? stack1 : "")
    + "\" },\n]\n\n[archive]\ndbpath = \"/mnt/flux/config/var/lib/flux/job-archive.sqlite\"\nperiod = \"1m\"\nbusytimeout = \"50s\"\n\n[sched-fluxion-qmanager]\nqueue-policy = \""
    + ((stack1 = alias2(alias1(depth0, "queuePolicy", {"start":{"line":41,"column":18},"end":{"line":41,"column":29}} ), depth0)) != null ? stack1 : "")
    + "\"\nBROKER\ncat \"$config/etc/flux/config/broker.toml\"\n\n# The view is a folder of links into /opt/software: the training container needs both at the same paths.\ninstalled=/opt/views/._view\ncp -R \"$installed/$(ls \"$installed\")/\"* \"$target/view\"\ncp -R /opt/software \"$target/\"\n\ntouch \"$target/flux-operator-done.txt\"\necho 'Flux is in place.'\n";
},"useData":true}

export const HOSTFILE: CompiledTemplate = {"0":function(container,depth0,helpers,partials,data) {
    var stack1, alias1=container.lambda, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = alias1(depth0, depth0)) != null ? stack1 : "")
    + " slots="
    + ((stack1 = alias1(container.strict(lookupProperty(data,"root"), "slots", {"start":{"line":2,"column":17},"end":{"line":2,"column":28}} ), depth0)) != null ? stack1 : "")
    + "\n";
},"compiler":[8,">= 4.3.0"],"main":function(container,depth0,helpers,partials,data) {
    var stack1, lookupProperty = container.lookupProperty || function(parent, propertyName) {
        if (Object.prototype.hasOwnProperty.call(parent, propertyName)) {
          return parent[propertyName];
        }
        return undefined
    };

  return ((stack1 = lookupProperty(helpers,"each").call(depth0 != null ? depth0 : (container.nullContext || {}),lookupProperty(depth0,"hosts"),{"name":"each","hash":{},"fn":container.program(0, data, 0),"inverse":container.noop,"data":data,"loc":{"start":{"line":1,"column":0},"end":{"line":3,"column":9}}})) != null ? stack1 : "");
},"useData":true}

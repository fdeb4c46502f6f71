package main

import (
	"errors"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// faultsOf takes an aggregate of field errors apart.
func faultsOf(err error) []Fault {
	if err == nil {
		return nil
	}
	var many utilerrors.Aggregate
	if !errors.As(err, &many) {
		return []Fault{{Detail: err.Error()}}
	}
	var faults []Fault
	for _, one := range many.Errors() {
		var fault *field.Error
		if errors.As(one, &fault) {
			faults = append(faults, Fault{Path: fault.Field, Detail: fault.Detail})
		} else {
			faults = append(faults, Fault{Detail: one.Error()})
		}
	}
	return faults
}
